import OmbiCore
import OmbiTerminal

extension RequestMethod {
    /// At most five letters, to fit beside a name in the tree.
    var shortName: String {
        switch self {
        case .delete: "DEL"
        case .options: "OPT"
        case .connect: "CONN"
        default: String(rawValue.prefix(5))
        }
    }

    var role: Role {
        switch self {
        case .get: .methodGet
        case .post: .methodPost
        case .put: .methodPut
        case .patch: .methodPatch
        case .delete: .methodDelete
        default: .methodOther
        }
    }
}
