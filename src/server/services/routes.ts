import { Type } from "typebox";
import { clientOf } from "../http/client-address.ts";
import { clearCredentials, listServices, setCredentials, testCredentials } from "../../logbook/services.ts";
import { route } from "../http/route.ts";
import { only, ServiceParam, ServiceShape, Text } from "../http/shapes.ts";

const own = { sessionOnly: true, notWhileImpersonating: true } as const;

export const serviceRoutes = [
  route(
    {
      name: "listServices",
      method: "GET",
      path: "/api/services",
      access: "user",
      summary: "List the logbook services and their state",
      answer: only({ services: Type.Array(ServiceShape) }),
    },
    ({ app, asker }) => listServices(app, asker),
  ),
  route(
    {
      name: "setCredentials",
      method: "PUT",
      path: "/api/services/:source/credentials",
      access: "user",
      summary: "Set the credentials of a service",
      description:
        "`first` takes `username`, `password` and `callsign`, `second` takes `apiKey` and `callsign`; the callsign is optional. All fields are replaced, and none is ever given back.",
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
      name: "removeCredentials",
      method: "DELETE",
      path: "/api/services/:source/credentials",
      access: "user",
      summary: "Remove your account for a service",
      ...own,
      confirmed: true,
      params: ServiceParam,
    },
    (call) => clearCredentials(call.app, call.asker, call.params.source, clientOf(call)),
  ),
  route(
    {
      name: "testCredentials",
      method: "POST",
      path: "/api/services/:source/test",
      access: "user",
      summary: "Test the stored credentials of a service",
      description: "Asks the service, which can take 60 seconds. If it rejects them: 502, with the reason as rule.",
      ...own,
      params: ServiceParam,
      answer: ServiceShape,
    },
    ({ app, asker, params, request }) => testCredentials(app, asker, params.source, request.signal),
  ),
];
