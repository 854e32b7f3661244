-- Blocks new requests to cancel until this transaction has settled its runs. The next statement sees earlier requests;
-- later requests find the runs settled. Rows: none. Locks: cancellation, ROW SHARE, which blocks only requests.
lock table cancellation in row share mode
