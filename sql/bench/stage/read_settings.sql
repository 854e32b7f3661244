-- Reads the server settings that affect the benchmark's results. Rows: each setting's name and value. Locks: none.
select name, current_setting(name)
from unnest(array['server_version', 'fsync', 'synchronous_commit', 'full_page_writes',
  'shared_buffers', 'max_wal_size']) name
