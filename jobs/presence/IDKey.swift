import BatonJobs

/// The id of a group or a user.
///
/// Keys and ids have the same format, 1 to 256 bytes without control characters, so every valid key
/// is a valid id. The caller must provide the key, because a generated key would not be the id of a
/// group or a user.
struct IDKey: JobKey {
  static let expected = "the id of a group or a user"
  let description: String

  init(_ text: String) { description = text }
}
