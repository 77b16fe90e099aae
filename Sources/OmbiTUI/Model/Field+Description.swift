import OmbiWorkspace

extension Field {
    /// The description on one line; empty for none.
    var descriptionLine: String {
        (description ?? "").split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
