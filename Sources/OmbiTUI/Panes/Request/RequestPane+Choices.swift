import OmbiCore
import OmbiWorkspace

/// The lists to choose from.
extension RequestPane {
    static func methods(of request: SavedRequest) -> PickerOverlay {
        let items = RequestMethod.allCases.map { method in
            var changed = request
            changed.method = method
            return PickerOverlay.Item(name: method.rawValue, action: .request(.replace(changed)))
        }
        var picker = PickerOverlay(title: "Method", items: items, current: request.method.rawValue)
        picker.others = [.method(of: request)]
        return picker
    }

    static func choices(of field: RequestField, in request: SavedRequest) -> PickerOverlay {
        let items = field.choices.map { choice in
            var changed = request
            try? field.write(&changed, choice.name)
            return PickerOverlay.Item(name: choice.name, note: choice.note, action: .request(.replace(changed)))
        }
        return PickerOverlay(title: field.label, items: items, current: field.read(request))
    }
}
