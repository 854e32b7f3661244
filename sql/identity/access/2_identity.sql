-- Rights to read the user's identity: see docs/concepts/security.md, Identity.
grant execute on function current_actor to {user}, {anon}, {api};
grant select on claim_key to {definer};
-- The definer must see when a session of this login began, because a claim may be bound to the session. The login
-- inherits nothing, so the definer gains no other right.
grant {authenticator} to {definer};
