-- Whose device has a token. $1 token. Rows: one: the user's id; null: nobody's. Locks: none. Index: session_token.
select user_of_session($1)
