import Testing

@testable import OmbiWorkspace

/// The errors of tunnels.
@Suite struct SSHTunnelTests {
    @Test(arguments: [
        (["ssh: Could not resolve hostname nowhere.test"], "ssh: Could not resolve hostname nowhere.test"),
        (["Host key verification failed."], "ssh: Host key verification failed."),
        (
            ["ssh: connect to host h port 1: Connection refused", "ssh: it ended"],
            "ssh: connect to host h port 1: Connection refused · it ended"
        ),
        (["kex_exchange: ssh: no", "ssh:"], "ssh: kex_exchange: ssh: no · ssh:"),
    ])
    func `an error names ssh once, whatever its lines begin with`(lines: [String], text: String) {
        #expect(SSHTunnel.quote(lines) == text)
    }
}
