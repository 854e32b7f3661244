import Testing

@testable import Postgres

/// Over a network the server must prove who it is, unless somebody said otherwise.
struct ConnectionConfigurationTests {
  private func options(_ address: String) -> [String: String] {
    Dictionary(
      ConnectionConfiguration(address: address).options.map { ($0.keyword, $0.value) }
    ) { $1 }
  }

  @Test(
    arguments: [
      "postgresql://db.example.org/app", "host=db.example.org", "host=10.0.0.5",
      "hostaddr=10.0.0.5", "postgresql://a.example.org,b.example.org/app",
      "host=/tmp,db.example.org", "host=localhost hostaddr=10.0.0.5", "host=127.example.org",
      "host=::2", "postgresql://[2001:db8::1]/app",
    ])
  func `a remote server must prove who it is`(address: String) {
    #expect(options(address)["sslmode"] == "verify-full")
    #expect(ConnectionConfiguration(address: address).warning == nil)
  }

  @Test(
    arguments: [
      "postgresql:///app?host=/tmp", "host=/var/run/postgresql", "host=@abstract",
      "host=localhost", "postgresql://127.0.0.1:5433/app", "host=127.0.0.2", "postgresql://[::1]/a",
      "host=db.example.org hostaddr=127.0.0.1", "host=localhost,127.0.0.1,/tmp",
    ])
  func `a server on this machine need not`(address: String) {
    #expect(options(address)["sslmode"] == nil)
    #expect(ConnectionConfiguration(address: address).warning == nil)
  }

  @Test(arguments: ["disable", "allow", "prefer", "require", "verify-ca"])
  func `an explicit weaker mode is obeyed with a warning`(mode: String) {
    for address in [
      "postgresql://db.example.org/app?sslmode=\(mode)", "host=db.example.org sslmode=\(mode)",
    ] {
      let configuration = ConnectionConfiguration(address: address)
      #expect(options(address)["sslmode"] == nil)
      #expect(configuration.warning?.contains("sslmode=\(mode)") == true)
      #expect(configuration.warning?.contains("verify-full") == true)
    }
  }

  @Test func `verify-full by hand, or any mode on this machine, is no warning`() {
    for address in [
      "host=db.example.org sslmode=verify-full", "host=/tmp sslmode=disable",
      "postgresql://localhost/app?sslmode=prefer",
    ] {
      #expect(ConnectionConfiguration(address: address).warning == nil)
    }
  }

  @Test func `the address comes behind the defaults, so that it wins, and UTF-8 behind all`() {
    let address = "host=/tmp connect_timeout=60 client_encoding=LATIN1"
    let keywords = ConnectionConfiguration(address: address).options.map(\.keyword)
    #expect(keywords.suffix(2) == ["dbname", "client_encoding"])
    #expect(keywords.contains("connect_timeout"))
    #expect(options(address)["dbname"] == address)
    #expect(options(address)["client_encoding"] == "UTF8")
  }

  @Test func `a dead peer is noticed in seconds`() {
    let options = options("host=/tmp")
    #expect(options["tcp_user_timeout"] == "10000")
    #expect(options["keepalives_idle"] == "5")
    #expect(options["keepalives_interval"] == "3")
    #expect(options["keepalives_count"] == "3")
  }
}
