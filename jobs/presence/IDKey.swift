import BatonJobs

/// The id of a group or a user.
///
/// Whatever is a key can be one: both have 1 to 256 bytes and no control characters, and phones choose
/// those of groups. The type says that a run needs a key: one of its own would be about nobody.
struct IDKey: JobKey {
  static let expected = "the id of a group or a user"
  let description: String

  init(_ text: String) { description = text }
}
