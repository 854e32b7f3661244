/// One line of a file of check-ins, parsed by the oracle.
///
/// Each line is a separate workout.
package struct CheckInLine: Sendable {
  /// The exact bytes of the group's name.
  package let group: [UInt8]
  /// The exact bytes of the member's name.
  ///
  /// Members with the same name in distinct groups are distinct persons.
  package let member: [UInt8]
  /// The instant in microseconds since 1970-01-01T00:00:00Z.
  package let instant: Int64
  /// The UTC offset of local time, in seconds east of UTC.
  package let utcOffset: Int
  /// The number of the line on which the record begins.
  ///
  /// The header is line 1.
  package let line: Int

  /// Creates a line from its parts.
  package init(group: [UInt8], member: [UInt8], instant: Int64, utcOffset: Int, line: Int) {
    self.group = group
    self.member = member
    self.instant = instant
    self.utcOffset = utcOffset
    self.line = line
  }
}
