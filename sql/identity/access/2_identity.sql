-- Who a user is: docs/concepts/security.md, Identity.
grant execute on function current_actor to {user}, {anon}, {api};
grant select on claim_key to {definer};
-- So that the definer sees when a session of this login began, to which a claim may be bound. The login inherits
-- nothing, so neither does the definer.
grant {authenticator} to {definer};
