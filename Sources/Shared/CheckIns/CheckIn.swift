/// A valid line of a check-in file: one workout of one member.
package struct CheckIn: Equatable, Sendable {
  /// The name of the group, exactly as in the file.
  package let group: ByteString
  /// The name of the member within the group.
  ///
  /// Members with the same name in different groups are different people.
  package let member: ByteString
  /// The time of the workout, in microseconds since 1970-01-01T00:00:00Z.
  package let instant: Int64
  /// The UTC offset of the member's clock, in seconds east of UTC.
  package let utcOffset: Int32
  /// The line number in the file.
  ///
  /// The header is line 1.
  package let line: Int

  /// Creates a check-in from its parts.
  package init(
    group: ByteString, member: ByteString, instant: Int64, utcOffset: Int32, line: Int
  ) {
    self.group = group
    self.member = member
    self.instant = instant
    self.utcOffset = utcOffset
    self.line = line
  }
}
