import Testing

@testable import OmbiWorkspace

/// Credentials in YAML and CSV.
@Suite struct NamedCredentialTests {
    @Test(arguments: [
        "# users\nid,password\n1,hunter2\n", "\r\nid,password\r\n1,hunter2\r\n", "\nid,password\n1,hunter2\n",
        "sep=;\nid;password\n1;hunter2\n", "sep=|\r\nid|password\r\na, b|hunter2\r\n",
        "\u{FEFF}id,password\n1,hunter2", "\u{FEFF}sep=,\nid,password\n1,hunter2", "#id,password\n1,hunter2\n",
        "id,password\n\n# more\n1,hunter2\n", ",password\n1,hunter2\n",
        "id,password\n1,hunter2,\n2,hunter2\n3,hunter2\n",
    ])
    func `the first row of a table names its columns, after comments and empty lines`(text: String) {
        #expect(NamedCredential.masked(text) == text.replacing("hunter2", with: "••••••"))
    }

    @Test(arguments: [
        ("note,password\n5\" pipe,hunter2\n6\" pipe,hunter3\n", ["hunter2", "hunter3"]),
        ("note,password\n\"5\"\" pipe, \"\"new\"\"\",hunter2\n\"\",hunter3\n", ["hunter2", "hunter3"]),
        ("password,note\n \"hunter,2\" ,\"a\nb\"\n\"\"\"hunter3\"\"\",5\"\" pipe\n", ["hunter,2", "\"\"hunter3\"\""]),
    ])
    func `a quotation mark in a cell hides none of the next cells`(text: String, credentials: [String]) {
        #expect(NamedCredential.find(in: text).map { String(text[$0.range]) } == credentials)
    }

    @Test(arguments: [
        "query Login($password: String!, $user: String!) {\n  login(password: $password, user: $user)\n}",
        "Reset the password, please\nThanks, Bob\n", "My password, then\nThanks, Bob\nPS: it is new\n",
        "sep=;\n", "\u{FEFF}", "# a, b\n",
    ])
    func `a text that is no table stays`(text: String) {
        #expect(NamedCredential.masked(text) == text)
    }

    @Test(arguments: [
        ("\u{FEFF}password: hunter2\n", ["hunter2"]),
        ("password: |-\r\n  hunter2\r\n\r\n  a: b\r\nuser: ada\r\n", ["hunter2\r\n\r\n  a: b"]),
        ("a:\n  secret: >\n    hunter2\n  user: ada\n", ["hunter2"]),
        ("password:\n  hunter2 # mine\nuser: ada\n", ["hunter2"]),
        ("tokens:\n  - hunter2\n  # old\n  - 'hunter 3'\nuser: ada\n", ["hunter2", "hunter 3"]),
        ("tokens:\n- hunter2\nuser:\n- ada\n", ["hunter2"]),
        ("- password:\n    hunter2\n  user: ada\n- user: bob\n", ["hunter2"]),
        ("passwords:\n  ada: hunter2\n  bob:\n    hunter3\nuser: ada\n", ["hunter2", "hunter3"]),
        ("password: hunter2\n  and more\nuser: ada\n", ["hunter2", "and more"]),
        ("password: !!str &a hunter2\nother: *a\n", ["hunter2"]),
        ("password: a: b\n", ["a: b"]),
    ])
    func `a value in YAML is found in the lines below its key`(text: String, credentials: [String]) {
        #expect(NamedCredential.find(in: text).map { String(text[$0.range]) } == credentials)
    }

    @Test(arguments: [
        ("auth: {password: hunter2}\n", ["hunter2"]), ("auth: {\"password\":\"a, b\\\", c\"}\n", ["a, b\\\", c"]),
        ("a: {user: ada, tokens: [hunter2, 'k3y, 9'], id: 12345}\n", ["hunter2", "k3y, 9"]),
        ("- {user: ada, password: hunter2} # mine\n", ["hunter2"]), ("tokens: [hunter2]\nuser: [ada]\n", ["hunter2"]),
        ("a: [{password: {}}, {b: c\n", []),
    ])
    func `the members of a value in braces are looked into`(text: String, credentials: [String]) {
        #expect(NamedCredential.find(in: text).map { String(text[$0.range]) } == credentials)
    }
}
