import type { Approval } from '../../../shared/model/tool-call.ts';

export interface ApprovalCardProps {
  readonly approval: Approval;
}
export const ApprovalCard = ({ approval }: ApprovalCardProps) => <div>{approval.call.ref.tool}</div>;
