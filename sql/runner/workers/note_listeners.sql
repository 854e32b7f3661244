-- Records whether any worker uses LISTEN. If no worker listens, writers do not use NOTIFY. Rows: 1 affected row, or 0
-- if nothing changes. Locks: the row in event_segment, if it changes.
update event_segment
set has_listener = w.listens
from (select exists (select from worker where listens) as listens) w
where has_listener <> w.listens
