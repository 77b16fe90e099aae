import Testing

@testable import OmbiWorkspace

/// Hosts of ssh, which end up on a command line.
@Suite struct SSHHostTests {
    @Test(arguments: [
        ("ssh://bastion", ["--", "bastion"]),
        ("ssh://me@bastion.test:2222", ["-l", "me", "-p", "2222", "--", "bastion.test"]),
        ("ssh://me@corp@bastion", ["-l", "me@corp", "--", "bastion"]), ("ssh://[::1]:22", ["-p", "22", "--", "::1"]),
        ("ssh://jump-1/", ["--", "jump-1"]),
    ]) func `a host becomes the last words of a command`(text: String, words: [String]) throws {
        let host = try SSHHost(text)
        #expect(host.arguments == words)
        #expect(try SSHHost(host.description) == host)
    }

    @Test(arguments: [
        ("bastion", "the way is an address of ssh; write ssh://host, or ssh://user@host:22"),
        ("ssh://-oProxyCommand=id", "\"-oProxyCommand=id\" is no host of ssh; write ssh://host, or ssh://user@host:22"),
        ("ssh://-lroot@h", "\"-lroot\" is no user of ssh; write ssh://host, or ssh://user@host:22"),
        ("ssh://me:secret@h", "a password cannot be given; ssh takes a key, its agent and ~/.ssh/config"),
        ("ssh://", "\"\" is no host of ssh; write ssh://host, or ssh://user@host:22"),
        ("ssh://a b", "\"a b\" is no host of ssh; write ssh://host, or ssh://user@host:22"),
        ("ssh://$(id)", "\"$(id)\" is no host of ssh; write ssh://host, or ssh://user@host:22"),
        ("ssh://a;id", "\"a;id\" is no host of ssh; write ssh://host, or ssh://user@host:22"),
        ("ssh://h:70000", "\"70000\" is no port of ssh; write ssh://host, or ssh://user@host:22"),
        ("ssh://h/path", "\"h/path\" is no host of ssh; write ssh://host, or ssh://user@host:22"),
    ]) func `what ssh could take for anything else is refused`(text: String, reason: String) {
        #expect(throws: FieldError(reason)) { try SSHHost(text) }
    }
}
