extension String {
  /// The bytes of the string, for sets and dictionaries of ids.
  ///
  /// The database compares ids by bytes. If strings were used as keys, two different ids that `==`
  /// treats as equal would be one key.
  package var bytes: [UInt8] { Array(utf8) }

  /// Returns whether the two strings have the same bytes.
  ///
  /// The `==` operator treats two Unicode spellings of a letter as equal. In the database, ids with
  /// different Unicode spellings are different.
  package func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
