declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*.js" {
  const text: string;
  export default text;
}
