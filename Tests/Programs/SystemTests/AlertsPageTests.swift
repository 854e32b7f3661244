import TestSupport
import Testing

/// Tests the commands that docs/reference/alerts.md lists for an alert.
@Suite struct AlertsPageTests {
  @Test(.sampled()) func `every command and option of the page is one of the program`()
    async throws
  {
    let page = try ExampleProgram.text("docs/reference/alerts.md")
    let commands = page.matches(of: /(?:\n|`)(baton|gymrats) ([^`#\n]+)/)
      .map { [String($0.output.1), String($0.output.2)] }
    #expect(commands.count > 20)
    for typed in Set(commands) {
      let (name, command) = (typed[0], typed[1])
      let words = command.split(separator: " ").map(String.init)
      let path = words.prefix { $0.wholeMatch(of: /[a-z]+/) != nil }
      let help = try await BatonProgram(executable: try BatonProgram.path(of: name)).succeed(
        path + ["--help"])
      #expect(help.contains("USAGE: \(name) \(path.joined(separator: " "))"), "\(command)")
      for option in words where option.hasPrefix("--") {
        #expect(help.contains("\(option) ") || help.contains("\(option)\n"), "\(command)")
      }
    }
  }
}
