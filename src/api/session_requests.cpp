#include "api/session_requests.h"

#include <boost/json/value_from.hpp>

namespace oriel {

namespace json = boost::json;

NewSession read_new_session(ObjectReader& reader) {
  NewSession wanted;
  wanted.agent = reader.name("agent");
  wanted.project_id = reader.name("project_id");
  wanted.workspace = reader.path("workspace");
  wanted.message = reader.text("message");
  wanted.request_id = reader.name("request_id");
  wanted.node = reader.name("node");
  wanted.node_labels = reader.names("node_labels");
  wanted.title = reader.text("title");
  if (wanted.title.size() > kMaxTitleBytes)
    reader.refuse("title", "exceeds " + std::to_string(kMaxTitleBytes) + " bytes");
  wanted.permissions = parse_permission_mode(reader.choice("permissions", permission_mode_names()));
  return wanted;
}

OrganizationChange read_organization(ObjectReader& reader) {
  OrganizationChange change;
  if (reader.has("title")) change.title = reader.text("title");
  if (change.title && change.title->size() > kMaxTitleBytes)
    reader.refuse("title", "exceeds " + std::to_string(kMaxTitleBytes) + " bytes");
  change.is_pinned = reader.flag("is_pinned");
  change.is_archived = reader.flag("is_archived");
  if (reader.has("labels")) change.labels = reader.names("labels");
  if (!change.title && !change.is_pinned && !change.is_archived && !change.labels)
    reader.refuse("nothing to change: give title, is_pinned, is_archived or labels");
  return change;
}

Decision read_decision(ObjectReader& reader) {
  Decision decision;
  const std::string word = reader.choice("decision", {"allow", "deny"});
  if (!word.empty()) decision.is_allowed = word == "allow";
  decision.option_id = reader.text("option_id");
  decision.answers = reader.texts("answers");
  const int given = static_cast<int>(reader.has("decision")) +
                    static_cast<int>(reader.has("option_id")) +
                    static_cast<int>(reader.has("answers"));
  if (given != 1) reader.refuse("decision", "give one of decision, option_id and answers");
  return decision;
}

json::object to_json(const AgentInfo& agent, const Principal& reader) {
  json::object out{{"name", agent.spec.name},
                   {"adapter", name_of(agent.spec.adapter)},
                   {"sandbox", name_of(agent.spec.sandbox)},
                   {"permissions", name_of(agent.spec.permissions)},
                   {"available", agent.problem.empty()},
                   {"problem", agent.problem}};
  if (reader.may(Scope::kStart)) out["command"] = json::value_from(agent.spec.command);
  return out;
}

}  // namespace oriel
