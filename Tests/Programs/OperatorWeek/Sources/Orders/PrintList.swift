import BatonJobs

/// A job that release 2 does not have.
///
/// Its runs are due after the end of the test.
struct PrintList: BatchJob {
  static let definition = Definition<Self>("print-list")

  static func run(_ batch: [Run<Self>], in parcels: Parcels) async throws {}
}
