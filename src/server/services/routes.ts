import { Type } from "../schema-types.ts";
import { clearCredentials, listServices, setCredentials, testCredentials } from "../../sync/source/credentials.ts";
import { route } from "../route.ts";
import { only, ServiceParam, ServiceShape, Text } from "../shapes.ts";

const own = { sessionOnly: true, notWhileImpersonating: true } as const;

export const serviceRoutes = [
  route(
    {
      method: "GET",
      path: "/api/services",
      access: "user",
      summary: "The services and whether they are set up",
      answer: only({ services: Type.Array(ServiceShape) }),
    },
    async ({ app, caller }) => ({ services: await listServices(app, caller.user.id) }),
  ),
  route(
    {
      method: "PUT",
      path: "/api/services/:source/credentials",
      access: "user",
      summary: "Store the credentials of a service, replaced as a whole",
      ...own,
      params: ServiceParam,
      body: Type.Record(Text, Type.String({ maxLength: 500 })),
      answer: ServiceShape,
    },
    async ({ app, caller, params, body }) => {
      return setCredentials(app, caller.user.id, params.source, body);
    },
  ),
  route(
    {
      method: "DELETE",
      path: "/api/services/:source/credentials",
      access: "user",
      summary: "Forget the credentials of a service",
      ...own,
      params: ServiceParam,
    },
    async ({ app, caller, params }) => {
      await clearCredentials(app, caller.user.id, params.source);
    },
  ),
  route(
    {
      method: "POST",
      path: "/api/services/:source/test",
      access: "user",
      summary: "Ask the service whether it takes the stored credentials",
      ...own,
      params: ServiceParam,
      answer: ServiceShape,
    },
    async ({ app, caller, params, request }) => {
      return testCredentials(app, caller.user.id, params.source, request.signal);
    },
  ),
];
