import BatonJobs

/// The id of a group or a user.
///
/// Every valid key is a valid id: both have 1 to 256 bytes and no control characters, and phones choose the ids of
/// groups. The type makes a key mandatory: a run without a given key would get a key of its own, which names no group
/// and no user.
struct IDKey: JobKey {
  static let expected = "the id of a group or a user"
  let description: String

  init(_ text: String) { description = text }
}
