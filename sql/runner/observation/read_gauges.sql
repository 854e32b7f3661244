-- The figures of the products. Rows: name, help, value, the limit above which something is wrong (null: none), what to
-- do then. Locks: none. The products' views need their own indexes.
select name, help, value, most, next from product_gauges()
