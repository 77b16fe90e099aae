/// The user name and the password that a file of this machine has for the host of the request, sent as Basic (RFC 7617).
package struct NetrcAuthentication: Sendable, Equatable {
    /// Empty for `$NETRC`, or else `~/.netrc`.
    package var file = ""
    package var unknown = UnknownMembers()
}

extension NetrcAuthentication: ObjectCredentials {
    static let kind = SavedAuthentication.Kind.netrc
    static let note = "user name and password of ~/.netrc"
    static let form = "{ \"netrc\": {} }"
    static let descriptors = [
        FieldDescriptor("file", \NetrcAuthentication.file, isPath: true, example: "~/.netrc")
    ]

    static let members = Members<NetrcAuthentication>([
        .optional(
            "file", Schema.reference("path", "$NETRC by default, or else ~/.netrc."), { $0.file = $1 }, { $0.file })
    ])
    static var schema: JSONValue {
        members.schema("The user name and the password that a file has for the host, sent as Basic.")
    }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        .netrc(file: try fill(file, "authentication file"))
    }

    var authentication: SavedAuthentication { .netrc(self) }

    var machineNeed: MachineNeed? { .netrc(file: file) }

    var exported: ExportedCredentials { .netrc(file: file) }
}
