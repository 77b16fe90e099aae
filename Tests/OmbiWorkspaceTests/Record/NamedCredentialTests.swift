import Testing

@testable import OmbiWorkspace

/// Credentials in YAML and CSV.
@Suite struct NamedCredentialTests {
    @Test(arguments: [
        "# users\nid,password\n1,hunter2\n", "\r\nid,password\r\n1,hunter2\r\n", "\nid,password\n1,hunter2\n",
        "sep=;\nid;password\n1;hunter2\n", "sep=|\r\nid|password\r\na, b|hunter2\r\n",
        "\u{FEFF}id,password\n1,hunter2", "\u{FEFF}sep=,\nid,password\n1,hunter2", "#id,password\n1,hunter2\n",
        "id,password\n\n# more\n1,hunter2\n",
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
}
