import OmbiTerminal

/// The meanings of texts about requests.
extension Role {
    static let methodGet = Role.green
    static let methodPost = Role.blue
    static let methodPut = Role.yellow
    static let methodPatch = Role.magenta
    static let methodDelete = Role.red
    static let methodOther = Role.cyan

    static let phaseResolve = Role.cyan
    static let phaseConnect = Role.brightGreen
    static let phaseTLS = Role.yellow
    static let phaseSend = Role.magenta
    static let phaseWait = Role.strong
    static let phaseReceive = Role.brightBlue

    /// A `{{variable}}` of a template.
    static let variable = Role.placeholder
    /// A `{{variable}}` that has no value.
    static let unknownVariable = Role.failure
    /// Inherited from the environment, not set in the request itself.
    static let inherited = Role.dim
    /// The mark of a protected environment.
    static let production = Role.alarm
}
