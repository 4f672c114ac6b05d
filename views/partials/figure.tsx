/** @jsxImportSource @kitajs/html */
/** A large number with its label. */
export const Figure = ({ name, value, note }: { name: string; value: string; note?: string }) => (
  <div>
    <dt safe>{name}</dt>
    <dd>
      <span safe>{value}</span> {note === undefined ? "" : <small safe>{note}</small>}
    </dd>
  </div>
);
