/// What a text on the screen means. Panes say what they draw; `Theme` alone says how it looks.
enum Role: UInt8, CaseIterable, Sendable {
    case plain, dim, title, border, focusedBorder, selection, inactiveSelection
    /// A name in a JSON object.
    case key
    case string, number
    /// `true`, `false` and `null`.
    case literal
    case punctuation
    case methodGet, methodPost, methodPut, methodPatch, methodDelete, methodOther
    case success, warning, failure, running, info
    /// What is only in the newer, or the older, of two bodies.
    case added, removed
    /// A `{{variable}}` of a template.
    case variable
    case secret
    /// What comes from the environment and not from the request itself.
    case inherited
    case footerKey
    /// A place that a search found.
    case match
    case phaseResolve, phaseConnect, phaseTLS, phaseSend, phaseWait, phaseReceive
    case gauge, gaugeEmpty
    /// The mark of a protected environment.
    case production
}
