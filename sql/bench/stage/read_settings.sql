-- Reads the server settings that affect the benchmark's results. Rows: the name and the value of each setting. Locks:
-- none.
select name, current_setting(name)
from unnest(array['server_version', 'fsync', 'synchronous_commit', 'full_page_writes',
  'shared_buffers', 'max_wal_size']) name
