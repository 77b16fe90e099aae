/// The body while it is edited.
extension RequestPane {
    mutating func openBody(_ workbench: Workbench, line: Int) -> [Outcome] {
        guard let body = context.body(in: workbench, tab) else { return [] }
        var editor = BodyEditor(body, line: line, settings: editorSettings, clipboard: clipboard, size: bodySize)
        let known = knownSchema(of: workbench)
        editor.use(known)
        editing = .body(editor)
        beginCompletion(known.map(CompletionKind.graphQL) ?? .none, of: workbench)
        return Self.schemaPlace(workbench).map { [.effect(.readSchema($0, for: .editor))] } ?? []
    }

    /// Handles an action; nil when it is not the editor's.
    mutating func editBody(_ action: Action, on workbench: inout Workbench, in rect: Rect?) -> [Outcome]? {
        switch action {
        case .text(let edit): return performOnBody(edit) + followCompletion(edit, in: workbench)
        case .editor(.send): return keepBody(&workbench) + [.perform(.run(.send))]
        case .editor(let action): return performOnBody(action)
        case .accept where completion.list != nil: return editBody(.text(.newline), on: &workbench, in: rect)
        case .nextField where completion.list != nil: return editBody(.text(.indent), on: &workbench, in: rect)
        case .accept: withBody { $0.find?.replacement == nil ? $0.closeFind(returning: false) : $0.replaceMatch() }
        case .nextField: withBody { $0.switchFindField() }
        case .leave: return leaveBody(&workbench)
        case .mouse(let action): return perform(action, on: &workbench, in: rect)
        default: return action.isForEditor ? [] : nil
        }
        return []
    }

    private mutating func performOnBody(_ edit: TextEdit) -> [Outcome] {
        withBody { $0.perform(edit) }
        guard case .body(let body) = editing else { return [] }
        return copied(body.clipboard, by: edit)
    }

    private mutating func performOnBody(_ action: EditorAction) -> [Outcome] {
        switch action {
        case .find: withBody { $0.openFind(replacing: false) }
        case .replace: withBody { $0.openFind(replacing: true) }
        case .findNext, .findPrevious:
            let found = withBody { $0.step(forward: action == .findNext) } ?? false
            return found ? [] : .notify(.info, "No match")
        case .replaceAll:
            let count = withBody { $0.replaceAll() } ?? 0
            return .notify(count > 0 ? .success : .info, "Replaced " + (count == 1 ? "1 match" : "\(count) matches"))
        case .format: return layOut(.formatted, "formatted")
        case .minify: return layOut(.compact, "minified")
        case .toggleWrap:
            editorSettings.wraps.toggle()
            withBody { [editorSettings] in $0.apply(editorSettings) }
        case .toggleNumbers:
            editorSettings.showsNumbers.toggle()
            withBody { [editorSettings] in $0.apply(editorSettings) }
        case .complete: return .notify(.info, "Nothing is known that completes the text here")
        case .send: break
        }
        return []
    }

    private mutating func layOut(_ form: JSONWriter.Form, _ done: String) -> [Outcome] {
        guard case .body(let body) = editing, body.isJSON else {
            return .notify(.info, "Only a JSON body is \(done)")
        }
        editing = nil
        var copy = body
        defer { editing = .body(copy) }
        return copy.layOut(form).map { .notify(.warning, "Not \(done): \($0)") } ?? []
    }

    /// Takes the edited text over. Text that is not JSON yet stays text.
    mutating func keepBody(_ workbench: inout Workbench) -> [Outcome] {
        guard case .body(let body) = editing, !body.editor.text.isUntouched,
            body.text != workbench.request?.bodyText
        else { return [] }
        var warning: String?
        workbench.editRequest { warning = $0.setBodyText(body.text) }
        return warning.map { .notify(.warning, $0.asSentence) } ?? []
    }

    /// Handles Esc: closes the search, clears the mark, or keeps the edit.
    private mutating func leaveBody(_ workbench: inout Workbench) -> [Outcome] {
        guard case .body(let body) = editing else { return [] }
        if body.find != nil {
            withBody { $0.closeFind(returning: $0.find?.replacement == nil) }
            return []
        }
        if body.editor.text.isMarking {
            withBody { $0.perform(.mark) }
            return []
        }
        defer {
            editing = nil
            // The rows show the line that was edited.
            let head = rows(workbench).head.count
            place(at: head + body.editor.position.line, workbench)
        }
        return keepBody(&workbench)
    }

    private mutating func perform(
        _ action: MouseAction, on workbench: inout Workbench, in rect: Rect?
    ) -> [Outcome]? {
        guard let rect else { return nil }
        let text = rect.dropTop(headRows)
        switch action {
        case .click(let point):
            guard text.contains(point) else { return leave(&workbench, by: .mouse(action)) }
            withBody { $0.click(point.relative(to: text), selecting: false) }
        case .drag(let point): withBody { $0.click(point.relative(to: text), selecting: true) }
        case .wheel(let point, let lines):
            guard rect.contains(point) else { return nil }
            withBody { $0.scroll(by: lines) }
        case .release: break
        }
        return []
    }
}

extension Action {
    /// True for an action that has no effect elsewhere while a text is edited.
    var isForEditor: Bool {
        switch self {
        case .app(.redraw), .app(.suspend), .app(.quitWithoutSaving), .run, .files: false
        default: true
        }
    }
}

/// A schema of GraphQL, and the place that it was read from.
struct KnownSchema: Equatable, Sendable {
    var place: GraphQLPlace
    var schema: GraphQLSchema
}

/// The schema of the query: it completes and checks what is typed, and has the operations to begin with.
extension RequestPane {
    /// The place of the schema of the selected request; nil for a request without a body of GraphQL.
    static func schemaPlace(_ workbench: Workbench) -> GraphQLPlace? { workbench.order(0)?.graphQLPlace }

    /// The schema of the selected request, if it was read already.
    func knownSchema(of workbench: Workbench) -> GraphQLSchema? {
        guard let schema, schema.place == Self.schemaPlace(workbench) else { return nil }
        return schema.schema
    }

    mutating func receive(
        _ new: GraphQLSchema?, at place: GraphQLPlace, for use: SchemaUse, _ workbench: Workbench
    ) -> [Outcome] {
        guard place == Self.schemaPlace(workbench) else { return [] }
        let known = knownSchema(of: workbench)
        schema = new.map { KnownSchema(place: place, schema: $0) }
        // The same schema again leaves what is being completed alone.
        if isWriting, new != known {
            withBody { $0.use(new) }
            beginCompletion(new.map(CompletionKind.graphQL) ?? .none, of: workbench)
        }
        guard use == .operations else { return [] }
        guard let new else {
            return .notify(
                .info, "No schema yet; in the palette (:) \"Ask the service for its GraphQL schema\"")
        }
        return Self.operations(of: new)
    }

    mutating func performOnSchema(_ action: RequestAction, in workbench: inout Workbench) -> [Outcome] {
        guard let order = workbench.order(0), let place = order.graphQLPlace else {
            return .notify(.info, "Select a request with a body of GraphQL first")
        }
        switch action {
        case .introspect:
            if let named = place.named { return .notify(.info, "The schema of this query is in the file \(named)") }
            return .notify(.info, "Asking the service for its schema") + [.effect(.introspect(order))]
        case .addOperation(let operation): return add(operation, to: &workbench)
        default:
            return knownSchema(of: workbench).map(Self.operations) ?? [.effect(.readSchema(place, for: .operations))]
        }
    }

    private static func operations(of schema: GraphQLSchema) -> [Outcome] {
        let items = schema.operations.map { operation in
            PickerOverlay.Item(
                name: operation.name, note: operation.note,
                action: .request(.addOperation(operation)))
        }
        guard !items.isEmpty else { return .notify(.info, "The schema has neither queries nor mutations") }
        return [.open(.picker(PickerOverlay(title: "Add a request for a query or a mutation", items: items)))]
    }

    /// Adds a request for an operation behind the selected one, to the same URL and with the same headers, cookies and credentials.
    private mutating func add(_ operation: GraphQLOperation, to workbench: inout Workbench) -> [Outcome] {
        guard let request = workbench.request, case .graphql(let content)? = request.body,
            let draft = knownSchema(of: workbench)?.draft(of: operation), let file = workbench.file
        else { return [] }
        // A copy of what the document gave would need no grant.
        if let operation = request.operation, operation.source != nil {
            let file = operation.specification
            return .notify(.info, "The URL of this request is in \(file); select a request with a URL of its own")
        }
        let siblings = file.collection?.siblings(in: workbench.folders?.last?.id) ?? []
        let body = GraphQLContent(draft.query, variables: draft.variables, schema: content.schema)
        var new = SavedRequest(
            name: Collection.freeName(for: draft.name, among: siblings), method: request.method, path: request.path,
            pathParameters: request.pathParameters, query: request.query, headers: request.headers,
            authentication: request.authentication, body: .graphql(body), policy: request.policy,
            connection: request.connection)
        (new.variables, new.cookies, new.isRecorded) = (request.variables, request.cookies, request.isRecorded)
        if file.isScratch {
            workbench.addScratch([.request(new)], isNew: true)
        } else {
            workbench.insert([.request(new)], at: .request(request.id))
        }
        tab = .body
        return [.perform(.tree(.select(.request(new.id)))), .focus(.request)]
    }
}
