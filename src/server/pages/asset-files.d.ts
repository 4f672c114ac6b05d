declare module "*.svg" {
  const text: string;
  export default text;
}

declare module "htmx.org/dist/ext/hx-sse.min.js" {
  const text: string;
  export default text;
}

declare module "htmx.org/dist/htmx.min.js" {
  const text: string;
  export default text;
}

declare module "*.woff2" {
  const path: string;
  export default path;
}
