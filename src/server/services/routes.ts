import { Type } from "typebox";
import { clientOf } from "../http/client-address.ts";
import { clearCredentials, listServices, setCredentials, testCredentials } from "../../logbook/services.ts";
import { route } from "../http/route.ts";
import { only, ServiceParam, ServiceShape, Text } from "../http/shapes.ts";

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
    ({ app, asker }) => listServices(app, asker),
  ),
  route(
    {
      method: "PUT",
      path: "/api/services/:source/credentials",
      access: "user",
      summary: "Store the credentials of a service, replaced as a whole",
      ...own,
      confirmed: true,
      params: ServiceParam,
      body: Type.Record(Text, Type.String({ maxLength: 500 })),
      answer: ServiceShape,
    },
    (call) => setCredentials(call.app, call.asker, call.params.source, call.body, clientOf(call)),
  ),
  route(
    {
      method: "DELETE",
      path: "/api/services/:source/credentials",
      access: "user",
      summary: "Remove the credentials of a service",
      ...own,
      confirmed: true,
      params: ServiceParam,
    },
    (call) => clearCredentials(call.app, call.asker, call.params.source, clientOf(call)),
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
    ({ app, asker, params, request }) => testCredentials(app, asker, params.source, request.signal),
  ),
];
