import OmbiCore
import OmbiWorkspace

/// The kinds of body that the request pane offers.
enum RequestBodyKind: String, CaseIterable, Sendable {
    case none, json, text, form

    init(_ body: SavedBody?) {
        self =
            switch body {
            case nil: .none
            case .json: .json
            case .text: .text
            case .form: .form
            }
    }

    var note: String {
        switch self {
        case .none: "no body"
        case .json: "application/json"
        case .text: "as it is"
        case .form: "application/x-www-form-urlencoded"
        }
    }
}
