/** @jsxImportSource @kitajs/html */

/** A large number with its label. The most important one of a row is larger. */
export const Figure = ({ name, value, isHero = false }: { name: string; value: string; isHero?: boolean }) => (
  <div class={isHero ? "hero" : undefined}>
    <dt safe>{name}</dt>
    <dd safe>{value}</dd>
  </div>
);
