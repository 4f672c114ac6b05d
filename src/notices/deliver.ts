import type { TargetKind } from "../domain/people/notice.ts";
import { AppError } from "../kernel/errors.ts";
import type { SendMail } from "../kernel/mail.ts";
import { post, type PostDeps } from "./http-post.ts";
import { buildMessage, buildRequest, type Address, type Sending } from "./payload.ts";

export type DeliveryDeps = PostDeps & { sendMail: SendMail | null };

/** Sends one notification to a target. */
export const deliver = async (
  deps: DeliveryDeps,
  kind: TargetKind,
  address: Address,
  sending: Sending,
  stopping?: AbortSignal,
): Promise<void> => {
  if (kind !== "mail") return post(deps, buildRequest(kind, address, sending), stopping);
  if (deps.sendMail === null) throw createNoMailError();
  await deps.sendMail(buildMessage(address, sending));
};

export const createNoMailError = (): AppError =>
  new AppError("invalid", "This server sends no mail. Its operator can set QSOLOG_SMTP_URL.");
