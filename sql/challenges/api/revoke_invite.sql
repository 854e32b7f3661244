-- Ends an invite. $1 actor, $2 invite. Rows: one, empty. Locks: docs/groups.md.
select from revoke_invite($1, $2)
