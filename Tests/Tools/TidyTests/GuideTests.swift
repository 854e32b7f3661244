import Foundation
import TestSupport
import Testing

@testable import guide

/// Tests that AddAJobTests detect an incorrect or missing step of a document.
@Suite(.ownThreads) struct GuideTests {
  private static let good = """
    # Contributing

    ## Before

    ```sh
    make nothing
    ```

    ## Add

    1. A file, `sql/parcels/tell.sql`:

       ```sql
       -- Tells.

       select 1
       ```

    2. A line in `Sources/List.swift`, where `Sources/Other.swift` has none:

       It is `Sources/List.swift`.

       ```diff
        one

       +two
        three
       -four
       ```

       ```sh
       orders migrate

       orders worker --until-idle
       ```

    ## Behind
    """

  /// Returns the contents of a folder with `Sources/List.swift` after the steps of the document.
  private func follow(_ document: String, from list: String = "one\n\nthree\nfour\n") throws
    -> (list: String, told: String?)
  {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(path: "guide-\(UUID().uuidString)")
    try manager.createDirectory(
      at: folder.appending(path: "Sources"), withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    let file = folder.appending(path: "Sources/List.swift")
    try Data(list.utf8).write(to: file)
    try Guide(document, section: "Add").follow(in: folder)
    return (
      try String(contentsOf: file, encoding: .utf8),
      try? String(contentsOf: folder.appending(path: "sql/parcels/tell.sql"), encoding: .utf8)
    )
  }

  @Test func `blocks are files, changes and commands, as the section says them`() throws {
    let followed = try follow(Self.good)
    #expect(followed.told == "-- Tells.\n\nselect 1\n")
    #expect(followed.list == "one\n\ntwo\nthree\n")
    #expect(
      try Guide(Self.good, section: "Add").commands == [
        "orders migrate", "orders worker --until-idle",
      ])
  }

  @Test(arguments: [
    ("## Add", "## Remove", "no section"),
    ("`sql/parcels/tell.sql`", "the statement", "which file"),
    ("`sql/parcels/tell.sql`", "`Sources/List.swift`", "is there already"),
    ("It is `Sources/List.swift`.", "It is `Sources/Lists.swift`.", "there is no Sources/Lists"),
    ("    three\n", "    there\n", "not there exactly once"),
    ("   +two", "   two", "begins with a blank"),
    ("```diff", "```patch", "'patch'"),
    ("   orders worker --until-idle\n   ```\n", "", "no end"),
  ])
  func `a step that cannot be followed is said`(old: String, new: String, complaint: String) throws
  {
    let document = Self.good.replacing(old, with: new)
    #expect(document != Self.good)
    let error = #expect(throws: GuideError.self) { try follow(document) }
    #expect(error?.description.contains(complaint) == true, "\(error?.description ?? "")")
  }

  @Test func `what is to be changed has to be there once`() throws {
    let error = #expect(throws: GuideError.self) {
      try follow(Self.good, from: "one\n\nthree\nfour\none\n\nthree\nfour\n")
    }
    #expect(error?.description.contains("exactly once") == true)
  }
}
