import BatonJobs

/// The key of a run that sends a push notification: the id of a device, a slash, and the id of the
/// subject.
///
/// The subject is a notification, a board, a message or an arrival. All events for a device and a
/// subject are merged into one run.
package struct PushKey: JobKey {
  package static let expected =
    "the id of a device, a slash, and the id of a notification, board, message or arrival"

  /// The id of the device.
  package let device: Int64
  /// The id of the subject.
  package let subject: String
  package let description: String

  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let device = Int64(parts[0]), !parts[1].isEmpty else { return nil }
    (self.device, subject, description) = (device, String(parts[1]), text)
  }
}
