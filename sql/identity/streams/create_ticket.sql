-- Stores a ticket that opens one stream and is valid for 30 s. $1: the SHA-256 of the ticket in hexadecimal. $2: the
-- content of the ticket. Rows: one empty row. Locks: see create_stream_ticket. Index: stream_ticket_pkey.
select create_stream_ticket(decode($1, 'hex'), $2)
