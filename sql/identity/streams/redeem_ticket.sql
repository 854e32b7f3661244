-- Redeems a stream ticket, which can be used only once. $1: the SHA-256 of the ticket in hexadecimal. Rows: one row
-- with the content of the ticket, or null if the ticket is unknown, expired or already used. Locks: the row of the
-- ticket. Index: stream_ticket_pkey.
select redeem_stream_ticket(decode($1, 'hex'))
