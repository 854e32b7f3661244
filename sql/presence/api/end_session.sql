-- Signs a device out. $1 token. Rows: one. Locks: the row. Index: session_token.
select end_session($1)
