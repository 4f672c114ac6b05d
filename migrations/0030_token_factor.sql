-- When who made a token, or let a terminal in, had given a second factor. Of those made before nobody knows.
-- skip if column api_tokens.factor_at exists
ALTER TABLE api_tokens ADD COLUMN factor_at {{bigint}};
-- skip if column terminal_sign_ins.factor_at exists
ALTER TABLE terminal_sign_ins ADD COLUMN factor_at {{bigint}};
