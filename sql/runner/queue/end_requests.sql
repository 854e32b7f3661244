-- Deletes requests of cancel_run that were executed, or whose runs have ended. $1: the ids of the requests. Rows: the
-- number of deleted requests. Locks: the deleted rows. Index: cancel_request_pkey.
delete from cancel_request where id = any ($1::bigint[])
