-- Grants the privileges to read the user's identity. docs/concepts/security.md describes these privileges in the
-- section "Identity".
grant execute on function current_actor to {user}, {anon}, {api};
grant select on claim_key to {definer};
-- The definer must see when a session of this login started, because a claim may be bound to the session. The login
-- inherits no privileges, so the definer gains no other privilege.
grant {authenticator} to {definer};
