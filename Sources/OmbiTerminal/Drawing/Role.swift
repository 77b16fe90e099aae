/// The meaning of a text on the screen. Panes set roles; `Theme` alone decides their look.
package enum Role: UInt8, CaseIterable, Sendable {
    case plain, dim, title, border, focusedBorder, selection, inactiveSelection
    /// A name in a JSON object.
    case key
    case string, number
    /// `true`, `false` and `null`.
    case literal
    case punctuation
    case methodGet, methodPost, methodPut, methodPatch, methodDelete, methodOther
    case success, warning, failure, running, info
    /// A part of only the newer, or only the older, of two bodies.
    case added, removed
    /// A `{{variable}}` of a template.
    case variable
    case secret
    /// Inherited from the environment, not set in the request itself.
    case inherited
    case footerKey
    /// A search match.
    case match
    case phaseResolve, phaseConnect, phaseTLS, phaseSend, phaseWait, phaseReceive
    case gauge, gaugeEmpty
    /// The mark of a protected environment.
    case production
}
