import { Type } from "typebox";
import { clearCredentials, listServices, setCredentials, testCredentials } from "../../logbook/services.ts";
import { route } from "../http/route.ts";
import { only, ServiceParam, ServiceShape, Text } from "../http/shapes.ts";

const own = { sessionOnly: true, notWhileImpersonating: true } as const;

export const serviceRoutes = [
  route("GET /api/services", {
    name: "listServices",
    summary: "List the logbook services and their state",
    answer: only({ services: Type.Array(ServiceShape) }),
    handle: ({ app, asker }) => listServices(app, asker),
  }),
  route("PUT /api/services/:source/credentials", {
    name: "setCredentials",
    summary: "Set the credentials of a service",
    description:
      "`first` takes `username`, `password` and `callsign`, `second` takes `apiKey` and `callsign`; the callsign is optional. All fields are replaced, and none is ever given back.",
    ...own,
    confirmed: true,
    params: ServiceParam,
    body: Type.Record(Text, Type.String({ maxLength: 500 })),
    answer: ServiceShape,
    handle: (call) => setCredentials(call.app, call.asker, call.params.source, call.body, call.client),
  }),
  route("DELETE /api/services/:source/credentials", {
    name: "removeCredentials",
    summary: "Remove your account for a service",
    ...own,
    confirmed: true,
    params: ServiceParam,
    handle: (call) => clearCredentials(call.app, call.asker, call.params.source, call.client),
  }),
  route("POST /api/services/:source/test", {
    name: "testCredentials",
    summary: "Test the stored credentials of a service",
    description: "Asks the service, which can take 60 seconds. If it rejects them: 502, with the reason as rule.",
    ...own,
    params: ServiceParam,
    answer: ServiceShape,
    handle: ({ app, asker, params, request }) => testCredentials(app, asker, params.source, request.signal),
  }),
];
