/** @jsxImportSource @kitajs/html */
import { exhibits } from "./exhibits.tsx";

const AMOUNTS = ["empty", "usual", "huge", "hostile"] as const;

/** Links to every view with canned data. */
export const Gallery = () => (
  <>
    <h1>Gallery</h1>
    <section class="card">
      <table>
        <thead>
          <tr>
            <th scope="col">Page</th>
            {AMOUNTS.map((amount) => (
              <th scope="col">{amount}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.keys(exhibits((text) => text, "usual")).map((name) => (
            <tr>
              <th scope="row" safe>
                {name}
              </th>
              {AMOUNTS.map((amount) => (
                <td>
                  <a href={`dev/gallery/${name}/${amount}`}>show</a>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </>
);
