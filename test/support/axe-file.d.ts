declare module "axe-core/axe.min.js" {
  const text: string;
  export default text;
}
