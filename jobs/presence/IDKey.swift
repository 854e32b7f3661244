import BatonJobs

/// The id of a group or a user.
///
/// Every valid key is a valid id, because both have 1 to 256 bytes without control characters.
/// Phones choose the ids of groups. The type makes a key mandatory. A run without a key would get a
/// generated key, which names no group and no user.
struct IDKey: JobKey {
  static let expected = "the id of a group or a user"
  let description: String

  init(_ text: String) { description = text }
}
