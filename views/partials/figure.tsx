/** @jsxImportSource @kitajs/html */
/** A large number with its label. */
export const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt safe>{name}</dt>
    <dd safe>{value}</dd>
  </div>
);
